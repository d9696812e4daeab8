def box(lo,hi,o):
    v=[(x,y,z) for z in(lo[2],hi[2]) for y in(lo[1],hi[1]) for x in(lo[0],hi[0])]
    f=[(0,2,1),(1,2,3),(4,5,6),(5,7,6),(0,1,4),(1,5,4),(2,6,3),(3,6,7),(0,4,2),(2,4,6),(1,3,5),(3,7,5)]
    return v,[tuple(i+o for i in t) for t in f]
def write(n,boxes):
    V=[];F=[]
    for lo,hi in boxes:
        v,f=box(lo,hi,len(V)); V+=v;F+=f
    open(n,'w').write(''.join('v %g %g %g\n'%p for p in V)+''.join('f %d %d %d\n'%tuple(i+1 for i in t) for t in F))
write('long.obj',[((-.05,0,-.05),(.05,2,.05))])
write('skirt.obj',[((-.2,1.1,-.12),(.2,1.6,.12)),((-.8,1.4,-.06),(.8,1.52,.06)),((-.12,1.6,-.1),(.12,1.9,.1)),((-.2,.75,-.1),(.2,.85,.1)),((-.2,0,-.08),(-.05,.8,.08)),((.05,0,-.08),(.2,.8,.08))])
